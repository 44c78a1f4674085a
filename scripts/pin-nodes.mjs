// `npm run pin:nodes`: moves the pins of node-lines.json to the newest Node of each line that package.json's engines allow.
import './node-version.mjs';
import { writeFileSync } from 'node:fs';
import { newestNodes, pinsPath, platforms } from './testing/node-lines.mjs';

const pins = Object.fromEntries(platforms.map((platform) => [platform, newestNodes(platform)]));
writeFileSync(pinsPath, `${JSON.stringify(pins, undefined, 2)}\n`);
for (const [platform, nodes] of Object.entries(pins))
  console.log(
    `${platform}: ${Object.values(nodes)
      .map(({ version }) => version)
      .join(', ')}`,
  );
