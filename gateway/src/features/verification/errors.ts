import { refusal } from '../../kernel/errors.ts'

const RETRY_AFTER_SECONDS = '30'

export const verificationErrors = {
  unknownBvn: refusal(400, () => 'Invalid BVN provided'),
  unknownNin: refusal(400, () => 'Invalid NIN provided'),
  unknownBank: refusal(400, (bankCode: string) => `Could not find bank ${bankCode}`),
  unknownAccount: refusal(400, () => 'Could not find bank account'),
  unavailable: refusal(503, () => 'The register cannot be reached, please try again later; nothing was charged', {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  }),
}
