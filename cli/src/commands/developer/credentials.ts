import { chmodSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Core } from '@kobo/gateway/app/core.ts'
import { findMerchantId } from '@kobo/gateway/core/merchants/index.ts'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import { type Credentials, ensureDemoMerchant, readCredentials } from '@kobo/gateway/features/sandbox/index.ts'
import { type Command, print, UsageError, withCore } from '../../command.ts'
import { PROGRAM } from '../../program.ts'

export const credentials: Command = {
  usage: '[--merchant CODE] [--env [FILE]]',
  summary: 'Prints a sandbox merchant’s API keys and URL',
  details:
    '\nPrints JSON. --env prints lines for a .env file instead, with the variable names that the samples read, or writes\nthem to FILE, which only you can read. Without --merchant it uses the first merchant. In live mode a secret key is shown only once, when it is created.\n',
  run: async (args, context) => {
    const options = { merchant: { type: 'string' }, env: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [file, ...more] = positionals
    if (more.length > 0 || (file !== undefined && values.env !== true))
      throw new UsageError('Specify one FILE, after --env.')
    return withCore(context, async ({ core, config, baseUrl }) => {
      if (config.environment !== 'sandbox')
        throw new UsageError(
          `Secret keys are shown in the sandbox only. In live mode, use "${PROGRAM} merchant rotate-secret" to create a new one.`,
        )
      await ensureDemoMerchant(core)
      const found = await readCredentials(core, baseUrl, values.merchant)
      if (found === undefined) throw new UsageError(`No merchant has the code ${values.merchant}.`)
      await recordShown(core, values.merchant)
      if (file !== undefined) writeSecret(file, envLines(found))
      else if (values.env === true) context.out(envLines(found))
      else print(context, found)
      return 0
    })
  },
}

/** Writes a file that only its owner can read, even if the file existed before. */
function writeSecret(file: string, text: string): void {
  writeFileSync(file, '', { mode: 0o600 })
  chmodSync(file, 0o600)
  writeFileSync(file, text)
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

/** Records in the audit log that a secret key was shown, because its holder can act as the merchant. */
async function recordShown(core: Core, code: string | undefined): Promise<void> {
  const merchantId = await findMerchantId(core.db, code)
  if (merchantId !== undefined)
    await unitOfWork(core, async (unit) => audit(unit, { merchantId, act: 'secret.show', actor: 'command line' }))
}
