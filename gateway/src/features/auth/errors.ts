import { refusal } from '../../kernel/errors.ts'

export const authErrors = {
  missingHeader: refusal(401, () => 'Authorization header is missing: send Basic base64(apiKey:secretKey)'),
  /** The same for an unknown key and a wrong secret: which of the two it was is nobody's business. */
  invalidCredentials: refusal(401, () => 'Invalid API key or secret key'),
}
