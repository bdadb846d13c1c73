import { parseArgs } from 'node:util'
import { ensureDemoMerchant, readCredentials } from '@kobo/gateway/app/demo.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

export const credentials: Command = {
  usage: '[--merchant CODE]',
  summary: 'Prints what a sandbox developer needs to call the API, as JSON',
  details:
    '\nThe first merchant of the sandbox unless another is named. In live a secret key is shown once, when it is made.\n',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' } } })
    return withCore(around, async ({ core, config, baseUrl }) => {
      if (config.environment !== 'sandbox') throw new UsageError('Secret keys are shown in the sandbox only.')
      await ensureDemoMerchant(core)
      const found = await readCredentials(core, baseUrl, values.merchant)
      if (found === undefined) throw new UsageError(`There is no merchant ${values.merchant}.`)
      print(around, found)
      return 0
    })
  },
}
