/** The wire of OpenTelemetry: what is written here is what the official definitions read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeProtobuf,
  type OtlpSpan,
  type OtlpTraces,
  readVerdict,
  toNanoseconds,
  toOtlpValue,
  toTraces,
} from '../../../actors/telemetry/otlp.ts';
import { decodeOfficially, encodePartialSuccess, readOfficially } from '../../support/collector.ts';
import { seeds } from '../../support/seeds.ts';

const text = fc.string({ unit: 'grapheme' });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const hex = (length: number) =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((id) => /[1-9a-f]/.test(id));
const plain = fc.letrec<{ value: Parameters<typeof toOtlpValue>[0] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    int64,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const attributes = fc.array(
  fc.record({ key: text, value: plain.map((value) => toOtlpValue(value)) }),
  { maxLength: 4 },
);
const nano = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const span: fc.Arbitrary<OtlpSpan> = fc.record(
  {
    traceId: hex(32),
    spanId: hex(16),
    parentSpanId: hex(16),
    name: text,
    kind: fc.constantFrom(1, 3),
    startTimeUnixNano: nano,
    endTimeUnixNano: nano,
    attributes,
    events: fc.array(fc.record({ timeUnixNano: nano, name: text, attributes }), { maxLength: 2 }),
    status: fc.record({ code: fc.constantFrom(0, 1, 2), message: text }),
  },
  {
    requiredKeys: [
      'traceId',
      'spanId',
      'name',
      'kind',
      'startTimeUnixNano',
      'endTimeUnixNano',
      'attributes',
    ],
  },
);

/** Both have no field for an empty list, and protobuf none for a zero, which are the same. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !Array.isArray(inner) || inner.length > 0)
      .map(([key, inner]) => [key, bare(inner)]),
  );
}

const traces = (spans: readonly OtlpSpan[]): OtlpTraces =>
  toTraces({ attributes: [] }, { name: 'glassbox', version: '1' }, spans);

describe('spans', () => {
  test(`as protobuf and as JSON are read officially as the same (${seeds(300, 20_000)} cases)`, () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 3 }), (spans) => {
        const sent = traces(spans);
        const decoded = bare(decodeOfficially(encodeProtobuf(sent)));
        expect(decoded).toEqual(bare(readOfficially(JSON.stringify(sent))));
      }),
      { numRuns: seeds(300, 20_000) },
    );
  });

  test(`lose nothing on the way (${seeds(300, 20_000)} cases)`, () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 2 }), (spans) => {
        const sent = traces(spans);
        const there = bare(decodeOfficially(encodeProtobuf(sent)));
        expect(there).toEqual(bare(sent));
      }),
      { numRuns: seeds(300, 20_000) },
    );
  });

  test('with a field that is not in the table are no message', () => {
    const strange = { ...traces([]), colour: 'red' };
    expect(() => encodeProtobuf(strange)).toThrow('Traces has no field colour');
  });

  test.each([
    [0, '0'],
    [0.4, '0'],
    [0.5, '1000000'],
    [1_795_366_800_123, '1795366800123000000'],
    [-5, '0'],
  ])('of %d ms begin at %s ns', (ms, expected) => {
    expect(toNanoseconds(ms)).toBe(expected);
  });
});

describe('what a collector says', () => {
  const status = Buffer.from([0x08, 0x03, 0x12, 0x03, 0x62, 0x61, 0x64]);
  const rows: readonly (readonly [string, Uint8Array, boolean, boolean, number, string])[] = [
    ['nothing', new Uint8Array(), false, true, 0, ''],
    ['a part', encodePartialSuccess(3, 'too old'), false, true, 3, 'too old'],
    ['a warning', encodePartialSuccess(0, 'slow down'), false, true, 0, 'slow down'],
    ['a status', status, false, false, 0, 'bad'],
    ['nothing, in JSON', Buffer.from('{}'), true, true, 0, ''],
    [
      'a part, in JSON',
      Buffer.from('{"partialSuccess":{"rejectedSpans":"7","errorMessage":"no"}}'),
      true,
      true,
      7,
      'no',
    ],
    ['a status in JSON', Buffer.from('{"code":3,"message":"bad"}'), true, false, 0, 'bad'],
    ['a page', Buffer.from('<html>'), true, false, 0, ''],
    ['half a message', encodePartialSuccess(3, 'too old').subarray(0, 5), false, true, 0, ''],
    ['rubbish', Buffer.from([0xff, 0xff, 0xff]), false, true, 0, ''],
  ];

  test.each(rows)('%s', (_, body, isJson, isAccepted, rejected, message) => {
    expect(readVerdict(body, isJson, isAccepted)).toEqual({ rejected, message });
  });
});
