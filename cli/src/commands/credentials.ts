import { parseArgs } from 'node:util'
import type { Core } from '@kobo/gateway/app/core.ts'
import { type Credentials, ensureDemoMerchant, readCredentials } from '@kobo/gateway/app/demo.ts'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Command, print, UsageError, withCore } from '../command.ts'

export const credentials: Command = {
  usage: '[--merchant CODE] [--env]',
  summary: 'Prints what a sandbox developer needs to call the API, as JSON',
  details:
    '\n--env prints it as the lines of a .env file, under the names that the samples read. The first merchant of the sandbox unless another is named. In live a secret key is shown once, when it is made.\n',
  run: async (args, around) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, env: { type: 'boolean' } } })
    return withCore(around, async ({ core, config, baseUrl }) => {
      if (config.environment !== 'sandbox') throw new UsageError('Secret keys are shown in the sandbox only.')
      await ensureDemoMerchant(core)
      const found = await readCredentials(core, baseUrl, values.merchant)
      if (found === undefined) throw new UsageError(`There is no merchant ${values.merchant}.`)
      await recordShown(core, values.merchant)
      if (values.env === true) around.out(envLines(found))
      else print(around, found)
      return 0
    })
  },
}

const envLines = ({ baseUrl, apiKey, secretKey, contractCode }: Credentials): string =>
  Object.entries({
    KOBO_URL: baseUrl,
    KOBO_API_KEY: apiKey,
    KOBO_SECRET_KEY: secretKey,
    KOBO_CONTRACT_CODE: contractCode,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** Whoever has seen a secret key can act as the merchant, so that is written down. */
async function recordShown(core: Core, code: string | undefined): Promise<void> {
  const merchantId = await findMerchantId(core.db, code)
  if (merchantId !== undefined)
    await unitOfWork(core, async (unit) => audit(unit, { merchantId, act: 'secret.show', actor: 'command line' }))
}
