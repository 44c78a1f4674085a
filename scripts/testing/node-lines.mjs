// One Node of each supported line, from npm's packages of Node.
import { chmodSync, copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './compile.mjs';
import { lineOf, unpack, versionsOf } from './npm-packages.mjs';

export const pinsPath = join(import.meta.dirname, 'node-lines.json');
export const platforms = ['linux-x64', 'linux-arm64'];
const platform = `${process.platform}-${process.arch}`;

/** @typedef {{ version: string, integrity: string }} Node */

/** @returns {Record<string, Node>} by line: the versions in node-lines.json */
export function pinnedNodes() {
  const pins = JSON.parse(readFileSync(pinsPath, 'utf8'))[platform];
  if (pins === undefined) throw new Error(`node-lines.json has no Node for ${platform}, only for ${platforms}.`);
  return pins;
}

/** @returns {Record<string, Node>} by line: the newest that package.json's engines allow */
export function newestNodes(of = platform) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(versionsOf(`node-${of}`, engines.node).map((node) => [lineOf(node.version), node]));
}

/** @returns {string} its folder in the cache @throws Error if the registry does not have it */
export const fetchNode = (node) => unpack({ name: `node-${platform}`, ...node });

/**
 * Copies a Node to where every user may run it: decoders and databases of root's tests run as other users.
 * @returns {string} a folder for PATH. npm is a program of Node: the one further on in PATH runs on this Node.
 */
export function installNode(node) {
  const bin = mkdtempSync(join(tmpdir(), `node-${node.version}-`));
  chmodSync(bin, 0o755);
  copyFileSync(join(fetchNode(node), 'bin', 'node'), join(bin, 'node'));
  return bin;
}

/** @throws Error if the registry does not have it */
export function exactNode(version) {
  const [node] = /^\d+\.\d+\.\d+$/.test(version) ? versionsOf(`node-${platform}`, version) : [];
  if (node === undefined) throw new Error(`The registry has no node-${platform}@${version}.`);
  return node;
}
