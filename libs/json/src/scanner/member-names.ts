/** Up to here comparing names one by one is quicker than hashing them; beyond it time must not grow with the square. */
const COMPARED_ONE_BY_ONE = 16;

/** The names seen so far in one object, to tell the first that comes again. */
export class MemberNames {
  private readonly few: string[] = [];
  private many: Set<string> | undefined;

  /** Takes in the next (unescaped) name; false when the object has it already. */
  add(name: string): boolean {
    if (this.many !== undefined) {
      const known = this.many.size;
      return this.many.add(name).size > known;
    }
    if (this.few.includes(name)) return false;
    if (this.few.push(name) === COMPARED_ONE_BY_ONE) this.many = new Set(this.few);
    return true;
  }
}
