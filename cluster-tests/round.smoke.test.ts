/** One round with all its kills and cuts, but with few clients and few calls between them. */
import { proof } from './testing/round.ts';

proof('three processes keep what they have said in one short round', 1, { accounts: 1, enough: 2, kills: 2 });
