import type { Command } from 'commander';
import { readPackage } from '../../package.ts';
import { apiDocument } from '../api-document.ts';
import { addPrintCommand } from '../print-document.ts';

export const addApiCommand = (program: Command): void => {
  const api = program
    .command('api')
    .description(
      'Describes the API of the console for programs. docs/api.md explains it; a running console answers it below /api/v1.',
    )
    .addHelpText('after', '\nExample:\n  cartwright api openapi --out openapi.json');
  addPrintCommand(api, {
    name: 'openapi',
    summary: 'print the OpenAPI document of the API',
    description:
      'Prints the OpenAPI document of the API, as a running console answers it at /api/v1/openapi.json. Programs make clients from it.',
    examples: `
Examples:
  cartwright api openapi --out openapi.json
  cartwright api openapi | jq '.paths | keys'`,
    make: () => apiDocument(readPackage().version),
  });
};
