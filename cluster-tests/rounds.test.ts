import { rounds } from '../trust-tests/testing/rounds.ts';
import { proof } from './testing/round.ts';

proof('three processes behind a proxy keep every promise through kills, outages and restarts', rounds(3, 20), {
  accounts: 3,
  enough: 6,
  kills: 4,
});
