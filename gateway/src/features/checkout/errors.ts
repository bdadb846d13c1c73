import { refusal } from '../../kernel/errors.ts'

export const checkoutErrors = {
  notFound: refusal(404, () => 'Could not find specified transaction'),
  /** The same for a person who followed a link. */
  noPayment: refusal(
    404,
    () => 'There is no payment at this address. Check the link, or ask the merchant for a new one.',
  ),
  unknownMerchant: refusal(422, () => 'Could not find specified merchant'),
  noOrigin: refusal(400, () => 'The page that opens a checkout must be served over http or https'),
  insecureOrigin: refusal(400, () => 'The page that opens a checkout must be served over https'),
}
