import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Collection, Listed, ObjectStore } from './object-store.ts';
import type { Owner } from './ownership/owner.ts';
import type { Staging } from './staging.ts';
import type { Storage } from './storage.ts';

export type OwnershipMarker = {
  /** @returns the id; other text if the marker is malformed; undefined if there is none */
  read(): Promise<string | undefined>;
  /** Creates the backend and its marker. @returns the stored id: another one if another process was first */
  make(id: string): Promise<string>;
  hasOriginals(): Promise<boolean>;
  texts: {
    /** The variable that configures the backend. */
    setting: string;
    location: string;
    question: string;
    marker: string;
    remove: string;
    put: (id: string) => string;
    makeOriginals: string;
  };
};

export type Backend = {
  marker: OwnershipMarker;
  /** @param root a local folder for the staging; a disk backend uses its own */
  open(owner: Owner, root: string): Promise<Storage>;
  /** The objects without sealing; the caller closes them. @param installation the id in the ownership marker */
  objects(installation: string, staging: Staging): Promise<ObjectStore>;
  /** All files among the objects, under any name; on a disk, also those next to the collections. */
  everything(options?: {
    only?: Collection;
    /** Called with each unreadable folder and the error code; without it such a folder is an error. */
    unreadable?: (folder: string, code: string) => void;
  }): AsyncGenerator<Listed>;
  /**
   * Moves an object below `lost-and-found/<day>/`, never over another one.
   * @param olderThan ms since 1970: objects written since then stay
   * @returns the new key; undefined if the object was written or removed since
   */
  setAside(key: string, options: { day: string; olderThan: number }): Promise<string | undefined>;
  restoring: RestoreMarker;
  /** Closes a backend whose storage and objects were never opened. */
  close(): void;
};

/** Marks a backend that is being restored: its originals have no rows yet. */
export type RestoreMarker = {
  read(): Promise<string | undefined>;
  begin(installation: string): Promise<void>;
  end(): Promise<void>;
};

/** The folder of everything stored in DATA_DIR. */
export const filesOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'files');
