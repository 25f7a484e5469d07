/** Something in a chart that the compiled stepper does not know: XState's own engine serves instead. */
export class Uncompilable extends Error {
  readonly code = 'model/uncompilable';
  readonly feature: string;
  readonly where: string;

  constructor(feature: string, where: string) {
    super(
      `${feature} (in ${where}) can't be compiled: the machine is stepped by XState's own engine`,
    );
    this.feature = feature;
    this.where = where;
  }
}
