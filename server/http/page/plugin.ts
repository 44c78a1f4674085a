import fp from 'fastify-plugin';
import { cli } from './cli.ts';
import { client } from './client.ts';

type Options = {
  /** The built client. */
  folder: string;
  /** The built command line client. */
  cliFile: string;
};

/** What a browser loads: the page for every path outside the API, and the command line client to download. */
export const page = fp<Options>(
  async (app, { folder, cliFile }) => {
    await app.register(cli, { file: cliFile });
    await app.register(client, { folder });
  },
  { name: 'page' },
);
