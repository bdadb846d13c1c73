import { Socket } from 'node:net'

/**
 * A socket that sends everything written in one turn of the event loop with one system call. So pipelined queries wake
 * the database only once.
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

  /** Does nothing, because more may be written in this turn. */
  override uncork(): void {}
}
