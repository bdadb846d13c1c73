import { parseArgs } from 'node:util'
import type { Core } from '@kobo/gateway/app/core.ts'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Credentials, ensureDemoMerchant, readCredentials } from '@kobo/gateway/features/sandbox/index.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'

export const credentials: Command = {
  usage: '[--merchant CODE] [--env]',
  summary: 'Prints a sandbox merchant’s API keys and URL',
  details:
    '\nPrints JSON. --env prints lines for a .env file instead, with the variable names that the samples read. Without --merchant it\nuses the first merchant. In live mode a secret key is shown only once, when it is created.\n',
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, env: { type: 'boolean' } } })
    return withCore(context, async ({ core, config, baseUrl }) => {
      if (config.environment !== 'sandbox')
        throw new UsageError(
          'Secret keys are shown in the sandbox only. In live mode, use "kobo merchant rotate-secret" to create a new one.',
        )
      await ensureDemoMerchant(core)
      const found = await readCredentials(core, baseUrl, values.merchant)
      if (found === undefined) throw new UsageError(`No merchant has the code ${values.merchant}.`)
      await recordShown(core, values.merchant)
      if (values.env === true) context.out(envLines(found))
      else print(context, found)
      return 0
    })
  },
}

const envLines = ({ baseUrl, apiKey, secretKey, contractCode, walletAccountNumber }: Credentials): string =>
  Object.entries({
    KOBO_URL: baseUrl,
    KOBO_API_KEY: apiKey,
    KOBO_SECRET_KEY: secretKey,
    KOBO_CONTRACT_CODE: contractCode,
    KOBO_WALLET_ACCOUNT_NUMBER: walletAccountNumber,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** Showing a secret key is audited, because its holder can act as the merchant. */
async function recordShown(core: Core, code: string | undefined): Promise<void> {
  const merchantId = await findMerchantId(core.db, code)
  if (merchantId !== undefined)
    await unitOfWork(core, async (unit) => audit(unit, { merchantId, act: 'secret.show', actor: 'command line' }))
}
