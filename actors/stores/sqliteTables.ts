/** The tables of the embedded store, and how an older file becomes one of today. */

/** One step for each version of the file; a file of version n has been through the first n. */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE persona (id TEXT PRIMARY KEY, model TEXT NOT NULL, name TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE counter (
    persona TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (persona, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE memory (
    persona TEXT NOT NULL, version INTEGER NOT NULL, change TEXT NOT NULL,
    PRIMARY KEY (persona, version)
  ) STRICT;
  CREATE TABLE matter (
    league TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (league, name)
  ) STRICT;
  CREATE TABLE epoch (
    league TEXT NOT NULL, slot INTEGER NOT NULL, epoch INTEGER NOT NULL,
    PRIMARY KEY (league, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE piece (
    league TEXT NOT NULL, slot INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (league, slot, at)
  ) STRICT;
  CREATE TABLE result (
    league TEXT NOT NULL, slot INTEGER NOT NULL, body TEXT NOT NULL, clock TEXT NOT NULL,
    PRIMARY KEY (league, slot)
  ) STRICT;
  `,
];
