import fp from 'fastify-plugin';
import { cli } from './cli.ts';
import { client } from './client.ts';
import { openapi } from './openapi.ts';

type Options = {
  /** The built client. */
  folder: string;
  /** The built command line client. */
  cliFile: string;
  /** The built OpenAPI document. */
  openapiFile: string;
};

/** What is built: the page for every path outside the API, the command line client, and the OpenAPI document. */
export const page = fp<Options>(
  async (app, { folder, cliFile, openapiFile }) => {
    await app.register(cli, { file: cliFile });
    await app.register(openapi, { file: openapiFile });
    await app.register(client, { folder });
  },
  { name: 'page' },
);
