/** One round with all its faults, but few clients and few calls between them. */
import { proof } from './testing/round.ts';

proof('three processes keep every promise in one short round', 1, { accounts: 1, enough: 2, kills: 2 });
