import { Socket } from 'node:net'

/**
 * A socket that sends what is written corked with one call to the kernel for a whole turn of the event loop: statements
 * that travel together then wake the database once.
 */
export class GatheringSocket extends Socket {
  #isGathering = false

  override cork(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    super.cork()
    process.nextTick(() => {
      this.#isGathering = false
      super.uncork()
    })
  }

  /** Not yet: more may come in this turn. */
  override uncork(): void {}
}
