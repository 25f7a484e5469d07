export class StoreError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(text: string, code: Code) {
    super(text);
    this.code = code;
  }
}

export class StoreLost extends StoreError {
  constructor(
    text: string,
    code: `store/${'unreachable' | 'other-server' | 'refused' | 'emptied' | 'busy'}` = 'store/unreachable',
  ) {
    super(text, code);
  }
}

export class StoreDamaged extends StoreError {
  constructor(text: string, code: 'store/damaged' | 'store/version' = 'store/damaged') {
    super(text, code);
  }
}

export class StoreUnreadable extends StoreError<`store/${'no-store' | 'cannot-open' | 'version'}`> {}

export class StoreUnwritable extends StoreError<'store/cannot-write' | 'store/read-only'> {}
