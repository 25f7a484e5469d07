/** What the variables of OpenTelemetry say: the usual ones, those for traces first, and nothing that stops a game. */
import { describe, expect, test } from 'vitest';
import {
  isTelemetryWanted,
  readResource,
  readTelemetry,
  wantsContent,
} from '../../../actors/telemetry/settings.ts';

const AT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };
type Variables = Readonly<Record<string, string>>;

describe('telemetry is off', () => {
  test.each<Variables>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '  ' },
    { OTEL_SERVICE_NAME: 'league' },
    { ...AT, OTEL_SDK_DISABLED: 'true' },
    { ...AT, OTEL_SDK_DISABLED: 'TRUE' },
  ])('by %j', (env) => {
    expect(isTelemetryWanted(env)).toBe(false);
    expect(readTelemetry(env)).toEqual({ type: 'off' });
  });

  test('where traces have no exporter', () => {
    expect(readTelemetry({ ...AT, OTEL_TRACES_EXPORTER: 'none' })).toEqual({ type: 'off' });
  });
});

describe('spans go to', () => {
  test.each<readonly [string, Variables]>([
    ['http://localhost:4318/v1/traces', AT],
    ['http://localhost:4318/v1/traces', { ...AT, OTEL_SDK_DISABLED: 'false' }],
    ['http://localhost:4318/v1/traces', { ...AT, OTEL_TRACES_EXPORTER: 'otlp' }],
    ['http://localhost:4318/v1/traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' }],
    ['https://a.test/otlp/v1/traces', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://a.test/otlp' }],
    ['https://b.test/', { ...AT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b.test' }],
    ['https://b.test/in', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b.test/in' }],
  ])('%s by %j', (url, env) => {
    expect(readTelemetry(env)).toMatchObject({ type: 'on', settings: { url } });
  });

  test('an address without its password, which is sent as a header', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:p%40ss@a.test' };
    expect(readTelemetry(env)).toMatchObject({
      type: 'on',
      settings: {
        url: 'https://a.test/v1/traces',
        headers: { authorization: `Basic ${btoa('me:p@ss')}` },
      },
    });
  });
});

describe('they are sent', () => {
  test.each<readonly [Variables, object]>([
    [{}, { isJson: false, isPacked: false, headers: {}, timeoutMs: 10_000 }],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, { isJson: true }],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, { isJson: false }],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' },
      { isJson: true },
    ],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }, { isPacked: true }],
    [{ OTEL_EXPORTER_OTLP_COMPRESSION: 'none' }, { isPacked: false }],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '500' }, { timeoutMs: 500 }],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, { timeoutMs: 10_000 }],
    [{ OTEL_EXPORTER_OTLP_TIMEOUT: '0' }, { timeoutMs: 10_000 }],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b = two%20words ,c=x=y,' },
      { headers: { a: '1', b: 'two words', c: 'x=y' } },
    ],
    [
      { OTEL_EXPORTER_OTLP_HEADERS: 'a=1', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2' },
      { headers: { b: '2' } },
    ],
  ])('as %j says', (env, settings) => {
    expect(readTelemetry({ ...AT, ...env })).toMatchObject({ type: 'on', settings });
  });
});

describe('what makes no sense is named, and nothing is sent', () => {
  test.each<readonly [Variables, RegExp]>([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, /OTLP_ENDPOINT, found none/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://a.test' }, /OTLP_ENDPOINT/],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/v1/traces' }, /OTLP_TRACES_ENDPOINT/],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTLP_PROTOCOL: .*found grpc/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER: .*zipkin/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'Bearer sup3r-s3cret' }, /OTLP_HEADERS/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%E0%A4%A' }, /OTLP_HEADERS/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'my name=sup3r-s3cret' }, /OTLP_HEADERS/],
    [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=sup3r-s3cret%0A' }, /./],
  ])('%j', (env, text) => {
    const reading = readTelemetry({ ...AT, ...env });
    if (reading.type !== 'refused') {
      // A line feed at the end of a header is cut off by those who send it.
      expect(env['OTEL_EXPORTER_OTLP_HEADERS']).toMatch(/%0A$/);
      return;
    }
    expect(reading.text).toMatch(text);
    expect(reading.text).not.toContain('s3cret');
  });
});

describe('who sends', () => {
  test.each<readonly [Variables, object]>([
    [{}, { 'service.name': 'glassbox', 'service.version': '9.9.9' }],
    [{ OTEL_SERVICE_NAME: 'league' }, { 'service.name': 'league' }],
    [
      { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=lab%2Ctest' },
      { 'service.name': 'a', 'deployment.environment.name': 'lab,test' },
    ],
    [
      { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a', OTEL_SERVICE_NAME: 'b' },
      { 'service.name': 'b' },
    ],
    [{ OTEL_RESOURCE_ATTRIBUTES: 'no pairs' }, { 'service.name': 'glassbox' }],
  ])('by %j', (env, attributes) => {
    expect(readResource(env, '9.9.9')).toMatchObject(attributes);
  });
});

test.each([
  [undefined, false],
  ['', false],
  ['false', false],
  ['NO_CONTENT', false],
  ['EVENT_ONLY', false],
  ['true', true],
  ['True', true],
  ['SPAN_ONLY', true],
  ['SPAN_AND_EVENT', true],
])('content where it is %s: %s', (word, expected) => {
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: word };
  expect(wantsContent(env)).toBe(expected);
});
