import { apiDocument } from '../../src/cli/api-document.ts';
import { fillGenerated, markdownTable } from './generated.ts';

interface Described {
  paths: Record<string, Record<string, { tags: string[]; summary: string; 'x-needs': string }>>;
}

/** The roles that may use a route, by its requirement. */
const roles: Readonly<Record<string, string>> = {
  nothing: 'anybody',
  view: 'viewer',
  act: 'operator',
  admin: 'admin',
};

/** docs/api.md with its generated part updated. */
export const renderApiPage = async (page: string): Promise<string> => {
  const { paths } = (await apiDocument('')) as Described;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary, 'x-needs': needs }]) => ({
      topic: tags[0]!,
      row: [`\`${method.toUpperCase()} ${path.replace('/api/v1', '')}\``, summary, roles[needs]!],
    })),
  );
  const topics = [...new Set(routes.map(({ topic }) => topic))];
  return fillGenerated(page, {
    routes: topics
      .map((topic) => {
        const rows = routes.filter((one) => one.topic === topic).map(({ row }) => row);
        return `### ${topic}\n\n${markdownTable(['route', 'what it does', 'from the role'], rows)}`;
      })
      .join('\n\n'),
  });
};
