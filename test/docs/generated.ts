/** The page with the parts between `<!-- generated: NAME -->` and `<!-- end -->` replaced. */
export const fillGenerated = (page: string, parts: Record<string, string>): string => {
  let filled = page;
  for (const [name, content] of Object.entries(parts)) {
    const part = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- end -->)`);
    if (!part.test(filled)) throw new Error(`the page has no place for the generated part "${name}"`);
    filled = filled.replace(part, (_, begin: string, end: string) => `${begin}\n${content}\n\n${end}`);
  }
  return filled;
};

/** A Markdown table. */
export const markdownTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${heads.join(' | ')} |`,
    `|${'---|'.repeat(heads.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
