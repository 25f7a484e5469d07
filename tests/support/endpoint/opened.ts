/** Fake endpoints that are closed after the tests of their file. */
import { afterAll } from 'vitest';
import { FakeEndpoint, type FakeOptions } from './fakeEndpoint.ts';

const open: FakeEndpoint[] = [];
afterAll(async () => {
  await Promise.all(open.map((endpoint) => endpoint.close()));
});

export async function anEndpoint(options: FakeOptions = {}): Promise<FakeEndpoint> {
  const endpoint = await FakeEndpoint.open(options);
  open.push(endpoint);
  return endpoint;
}

export function modelOf({ baseUrl }: FakeEndpoint, model = 'gemma'): readonly string[] {
  return ['--model', model, '--base-url', baseUrl];
}
