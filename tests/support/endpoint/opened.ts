/** Fake endpoints that end with the process, and the flags of a command that uses one. */
import { FakeEndpoint, type FakeOptions } from './fakeEndpoint.ts';

export function anEndpoint(options: FakeOptions = {}): Promise<FakeEndpoint> {
  return FakeEndpoint.open(options);
}

export function modelOf({ baseUrl }: FakeEndpoint, model = 'gemma'): readonly string[] {
  return ['--model', model, '--base-url', baseUrl];
}
