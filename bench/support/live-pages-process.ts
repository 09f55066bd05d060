// Five pages of the console as a browser keeps them up to date: each follows the stream, and reads again what a change is
// about, at most every two seconds. Without a browser, whose own work is done on the machine of the person who looks.
// Arguments: the address of the console, a token.

const [url, token] = process.argv.slice(2) as [string, string];
const headers = { authorization: `Bearer ${token}` };
const paceMs = 2000;

/** What each page shows, and the topics at whose change it reads that again; every page lists running actions, too. */
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
