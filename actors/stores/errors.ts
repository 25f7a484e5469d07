/** Errors of a store itself, not of its use. They are thrown, because only a command can do anything about them. */

export class StoreError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(text: string, code: Code) {
    super(text);
    this.code = code;
  }
}

/** The store does not answer, or not as it should. */
export class StoreLost extends StoreError {
  constructor(
    text: string,
    code: `store/${'unreachable' | 'refused' | 'emptied' | 'busy'}` = 'store/unreachable',
  ) {
    super(text, code);
  }
}

/** The store's content differs from the written one. */
export class StoreDamaged extends StoreError {
  constructor(text: string, code: 'store/damaged' | 'store/version' = 'store/damaged') {
    super(text, code);
  }
}

/** Not a readable store: the file belongs to another program, or may not be opened. */
export class StoreUnreadable extends StoreError<`store/${'no-store' | 'cannot-open' | 'version'}`> {}

/** The store is readable but not writable. */
export class StoreUnwritable extends StoreError<'store/cannot-write' | 'store/read-only'> {}
