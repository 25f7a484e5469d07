/** The wire: what goes to an endpoint, and what comes back, whatever it is. */

export type Endpoint = {
  readonly baseUrl: string;
  readonly model: string;
  /** Never written anywhere; null for servers that want none. */
  readonly apiKey: string | null;
};

/** What came back: a body with its status, or nothing. */
export type Delivery =
  | {
      readonly type: 'body';
      readonly status: number;
      /** JSON where it was any; else the text. */
      readonly body: unknown;
      /** Milliseconds for which the endpoint wants to be left alone; null when it says nothing. */
      readonly retryAfterMs: number | null;
    }
  /** The connection failed, or no answer came within the time of the attempt. */
  | {
      readonly type: 'lost';
      readonly isLate: boolean;
      /** Whether the request may have been taken, and tokens used for it. */
      readonly wasSent: boolean;
      readonly text: string;
    };

export type Wire = {
  send(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Delivery>;
};
