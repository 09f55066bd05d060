// Five pages of the console, kept up to date like in a browser: each follows the stream and re-reads what has changed, at most
// every two seconds. Without a browser, whose work happens on the user's machine.
// Arguments: the address of the console, a token.

const [url, token] = process.argv.slice(2) as [string, string];
const headers = { authorization: `Bearer ${token}` };
const paceMs = 2000;

/** The requests of each page, and the topics whose changes repeat them; every page also lists running actions. */
const pages: { reads: string[]; topics: string[] }[] = [
  {
    reads: ['/today'],
    topics: ['purchase-orders', 'imports', 'accounts', 'reports', 'activity', 'bulk'],
  },
  { reads: ['/purchase-orders?limit=100', '/purchase-orders/facets'], topics: ['purchase-orders'] },
  { reads: ['/imports?limit=50'], topics: ['imports'] },
  {
    reads: ['/purchase-orders?limit=100&state=held', '/purchase-orders/facets'],
    topics: ['purchase-orders'],
  },
  { reads: ['/accounts'], topics: ['accounts'] },
];

let reads = 0;
const read = async (path: string): Promise<void> => {
  const answer = await fetch(`${url}/api/v1${path}`, { headers });
  await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  reads += 1;
};

const keepUpToDate = async (page: (typeof pages)[number]): Promise<void> => {
  const answer = await fetch(`${url}/api/v1/events`, { headers });
  let text = '';
  let lastRead = 0;
  let isDue = false;
  const readAgain = (): void => {
    isDue = false;
    lastRead = Date.now();
    for (const path of page.reads) void read(path);
  };
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop()!;
    for (const message of messages) {
      const data = /^data: (.*topics.*)$/m.exec(message)?.[1];
      if (data === undefined) continue;
      const { topics } = JSON.parse(data) as { topics: string[] };
      if (isDue || !page.topics.some((topic) => topics.includes(topic))) continue;
      isDue = true;
      setTimeout(readAgain, Math.max(0, lastRead + paceMs - Date.now()));
    }
  }
};

for (const page of pages) {
  for (const path of page.reads) await read(path);
  void keepUpToDate(page);
}
process.on('message', () => process.send!(reads));
process.send!('open');
process.on('disconnect', () => process.exit(0));
