import { parseArgs } from 'node:util'
import { readMasterKey } from '@kobo/gateway/app/data-folder.ts'
import { beginRotation, endRotation, RotationError, SEALS_AFTER_SECONDS } from '@kobo/gateway/core/security/keyring.ts'
import { secondsAfter } from '@kobo/gateway/kernel/clock.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

export const keysRotate: Command = {
  usage: '[--finish]',
  summary: 'Replaces the master key while the nodes run',
  details: `
1. With the present key in KOBO_MASTER_KEY and the new one in KOBO_MASTER_KEY_NEXT: kobo keys rotate
   Nodes can now start with either key. A new data key is made, which encrypts what is stored a minute later.
2. Start every node again, one after another, with the new key in KOBO_MASTER_KEY.
3. With the new key in KOBO_MASTER_KEY: kobo keys rotate --finish
   From now on the old key opens nothing.
`,
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { finish: { type: 'boolean' } } })
    return withCore(around, async ({ core: { db, wall, clock }, config }) => {
      const masterKey = readMasterKey(config)
      if (values.finish === true) {
        print(around, { finished: true, dataKeys: await told(endRotation(db, masterKey)) })
        return 0
      }
      if (config.masterKeyNext === undefined)
        throw new UsageError(
          'KOBO_MASTER_KEY_NEXT is required: 32 bytes in base64, as openssl rand -base64 32 makes them.',
        )
      const sealsFrom = secondsAfter(wall.now(), SEALS_AFTER_SECONDS)
      const at = clock.now()
      const dataKeys = await told(beginRotation(db, masterKey, config.masterKeyNext, { at, sealsFrom }))
      print(around, { finished: false, dataKeys })
      return 0
    })
  },
}

/** What keeps a rotation from going on is the operator's to mend. */
const told = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: Error) => {
    throw error instanceof RotationError ? new UsageError(`${error.message}.`) : error
  })
