import type { JSX } from 'preact'
import { CopyButton } from '../copy-button.tsx'

const CARDS = [
  ['4111111111111111', 'Approved, and can be charged again by its token'],
  ['5060995994247093', 'Asks for PIN 1234, then OTP 123456'],
  ['4000000000000002', 'Leads to the issuer’s page (3-D Secure), OTP 123456'],
  ['5399838383838381', 'Declined: insufficient funds'],
  ['4242424242424242', 'The network is silent at first: the outcome is found out by asking'],
] as const

/** Card numbers and what they do. */
export const TestCards = (): JSX.Element => (
  <section class="panel" aria-labelledby="cards">
    <h2 id="cards">Cards</h2>
    <ul class="rows">
      {CARDS.map(([number, text]) => (
        <li key={number}>
          <span>
            <span class="key">{number.replace(/(\d{4})(?=\d)/g, '$1 ')}</span>
            <br />
            <small class="quiet">{text}</small>
          </span>
          <CopyButton text={number} what={`card ${number}`} />
        </li>
      ))}
    </ul>
    <p class="quiet small">Any month ahead, any CVV.</p>
  </section>
)
