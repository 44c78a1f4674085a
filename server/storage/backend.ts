/** A place that the settings lead to, as far as its mark tells; its objects once it is known whose they are. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Collection, Listed, ObjectStore } from './object-store.ts';
import type { Owner } from './ownership/owner.ts';
import type { Staging } from './staging.ts';
import type { Storage } from './storage.ts';

/** A storage as far as its mark tells, of either kind. */
export type MarkedBackend = {
  /** @returns the id; a text that is none for a mark of another form; undefined where there is none */
  read(): Promise<string | undefined>;
  /** Makes the place, with its mark. @returns the id that stands there then: another's, where another was first */
  make(id: string): Promise<string>;
  hasOriginals(): Promise<boolean>;
  words: {
    /** The variable that names the place. */
    setting: string;
    place: string;
    /** What may be wrong, as a question. */
    question: string;
    /** What a mark is there, with its name. */
    mark: string;
    /** How to mend it. */
    remove: string;
    put: (id: string) => string;
    makeOriginals: string;
  };
};

export type Backend = {
  marked: MarkedBackend;
  /** @param root a local folder for its staging; where the place is a disk, its own */
  open(owner: Owner, root: string): Promise<Storage>;
  /**
   * As they stand there, with no seal around them; whoever has them closes them.
   * @param installation the id in the place's mark
   */
  objects(installation: string, staging: Staging): Promise<ObjectStore>;
  /** All that stands there among objects, under whatever name; on a disk, also what lies beside the collections. */
  everything(options?: {
    only?: Collection;
    /** Told each folder that cannot be read, and why; without it that is an error. */
    unreadable?: (folder: string, code: string) => void;
  }): AsyncGenerator<Listed>;
  /**
   * Moves one of them below `lost-and-found/<day>/`, never over another.
   * @param olderThan ms since 1970: what was written since then stays
   * @returns where it stands now; undefined where it has been written or removed since
   */
  setAside(key: string, options: { day: string; olderThan: number }): Promise<string | undefined>;
  restoring: RestoreMarker;
  /** For a place that was not opened, and whose objects were not asked for. */
  close(): void;
};

/** Marks a place that is being restored: its originals have no rows yet. */
export type RestoreMarker = {
  /** @returns the installation that is being restored here, undefined where none is */
  read(): Promise<string | undefined>;
  /** The place is the installation's from here on, and marked. */
  begin(installation: string): Promise<void>;
  end(): Promise<void>;
};

/** The folder of all that DATA_DIR stores. */
export const filesOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'files');
