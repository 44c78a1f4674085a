// Preloaded in each process of a run without coverage. tap puts two module loaders into every Node process below it, one for mocks and
// one for coverage; neither is used, and a server takes three times as long to load its modules through them. From Node 24.13 on tap has hooks
// in the same thread instead, which stay.
import module, { syncBuiltinESMExports } from 'node:module';

module.register = () => undefined;
syncBuiltinESMExports();
