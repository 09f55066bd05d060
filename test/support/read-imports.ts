import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Import {
  /** A project path such as `src/ledger/pool.ts`, or a package's name (`pg`, `node:fs`). */
  to: string;
  inProject: boolean;
  /** The compiler removes it, so it does not exist at run time. */
  typeOnly: boolean;
}

export interface SourceFile {
  /** Relative to the project's folder, with `/`. */
  path: string;
  lines: number;
  imports: Import[];
  /** Re-exports from another file. */
  reExports: boolean;
  /** Has statements besides imports and re-exports. */
  hasOwnCode: boolean;
  /** Reads `process.env`, or takes `env` from `process`. */
  readsEnvironment: boolean;
  /** Calls a method `query`, like that of a pool or a connection. */
  queries: boolean;
}

/** `@scope/name/sub` and `name/sub` are files of the packages `@scope/name` and `name`. */
const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');

const isNamed = (node: { type: string } | undefined | null, name: string): boolean =>
  node?.type === 'Identifier' && (node as unknown as { name: string }).name === name;

/** The imports, re-exports and reads of a TypeScript file, found with a real parser. */
const readSource = (absolute: string): SourceFile => {
  const path = relative(root, absolute).replaceAll('\\', '/');
  const text = readFileSync(absolute, 'utf8');
  const { program, module, errors } = parseSync(absolute, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]!.message}`);

  const imports: Import[] = [];
  const add = (specifier: string, typeOnly: boolean): void => {
    const inProject = specifier.startsWith('.');
    const to = inProject
      ? relative(root, resolve(dirname(absolute), specifier)).replaceAll('\\', '/')
      : packageOf(specifier);
    imports.push({ to, inProject, typeOnly });
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    add(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  }
  let reExports = false;
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) {
      if (!moduleRequest) continue;
      reExports = true;
      add(moduleRequest.value, isType);
    }
  }
  let readsEnvironment = false;
  let queries = false;
  new Visitor({
    ImportExpression(node) {
      if (node.source.type === 'Literal') add(String(node.source.value), false);
    },
    CallExpression(node) {
      if (node.callee.type === 'MemberExpression' && isNamed(node.callee.property, 'query')) queries = true;
    },
    MemberExpression(node) {
      const named = node.computed
        ? node.property.type === 'Literal' && node.property.value === 'env'
        : isNamed(node.property, 'env');
      if (named && isNamed(node.object, 'process')) readsEnvironment = true;
    },
    VariableDeclarator(node) {
      if (node.id.type === 'ObjectPattern' && isNamed(node.init, 'process')) readsEnvironment = true;
    },
    ImportDeclaration(node) {
      const names = node.specifiers.map((one) => ('imported' in one ? one.imported : undefined));
      if (/^(node:)?process$/.test(node.source.value) && names.some((name) => isNamed(name, 'env'))) {
        readsEnvironment = true;
      }
    },
  }).visit(program);
  const hasOwnCode = program.body.some(
    (statement) =>
      statement.type !== 'ImportDeclaration' &&
      statement.type !== 'ExportAllDeclaration' &&
      !(statement.type === 'ExportNamedDeclaration' && statement.source !== null),
  );
  return {
    path,
    lines: text.split('\n').length - 1,
    imports,
    reExports,
    hasOwnCode,
    readsEnvironment,
    queries,
  };
};

/** Every TypeScript file below these folders of the project. */
export const readSources = (...folders: string[]): SourceFile[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .sort()
      .map((name) => readSource(join(root, folder, name))),
  );
