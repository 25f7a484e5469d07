/** Stillness: a part of the page that is not drawn again while what it is given is the same. */
import { Component, type ComponentChild, type ComponentType } from 'preact';

/** Compares what is given one by one; what is given must not be changed in place, and the part reads no signals. */
export function still<Props extends object>(
  draw: (props: Props) => ComponentChild,
): ComponentType<Props> {
  return class Still extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !isSame(this.props, next);
    }
    override render(): ComponentChild {
      return draw(this.props);
    }
  };
}

function isSame(one: object, other: object): boolean {
  const before = new Map<string, unknown>(Object.entries(one));
  const after = Object.entries(other);
  return (
    after.length === before.size &&
    after.every(([name, value]) => Object.is(before.get(name), value))
  );
}
