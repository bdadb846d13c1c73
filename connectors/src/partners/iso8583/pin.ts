import type { Hidden } from '@kobo/gateway/kernel/hidden.ts'

import type { ConnectorTools } from '../../connector.ts'
import { openLine, textAt } from '../../kit/index.ts'
import type { Message } from './codec.ts'
import { pinBlock, pinKey } from './dukpt.ts'
import type { Charge, Trace } from './wire.ts'

/** Encrypts a charge's PIN into fields 52 and 127 (the key serial number). Returns undefined if it cannot do so now. */
export interface PinEncryption {
  readonly encrypt: (charge: Charge, pin: Hidden<string>, trace: Trace) => Promise<Message | undefined>
  readonly close: () => void
}

const fieldsOf = (block: string, ksn: string): Message => ({ 52: block, 127: ksn })

/** For live mode: a service in front of the operator's HSM encrypts PINs, so this process never has a PIN key. */
function byService(tools: ConnectorTools): PinEncryption {
  const { callPartner, close } = openLine(tools.settings, 'PIN_URL')
  return {
    encrypt: async ({ reference, card }, pin) => {
      const response = await callPartner({ path: '', body: { reference, number: card.number, pin: pin.reveal() } })
      const block = response.kind === 'responded' ? textAt(response.body, 'pinBlock') : undefined
      const ksn = response.kind === 'responded' ? textAt(response.body, 'ksn') : undefined
      const isSound = /^[0-9A-F]{16}$/i.test(block ?? '') && /^[0-9A-F]{20}$/i.test(ksn ?? '')
      return isSound ? fieldsOf(block ?? '', ksn ?? '') : undefined
    },
    close,
  }
}

const COUNTER_BITS = 21n

/** For the partner's test system: a test key and test PINs. */
function byTestKey(first: Hidden<string>, serial: string): PinEncryption {
  return {
    encrypt: async ({ card }, pin, { rrn }) => {
      const counter = [...rrn].reduce(
        (sum, digit) => (sum * 36n + BigInt(Number.parseInt(digit, 36))) % (1n << COUNTER_BITS),
        0n,
      )
      const ksn = ((BigInt(`0x${serial}`) >> COUNTER_BITS) << COUNTER_BITS) | (counter === 0n ? 1n : counter)
      const text = ksn.toString(16).toUpperCase().padStart(20, '0')
      const key = pinKey(Buffer.from(first.reveal(), 'hex'), Buffer.from(text, 'hex'))
      return fieldsOf(pinBlock(key, pin.reveal(), card.number), text)
    },
    close: () => {},
  }
}

const none: PinEncryption = { encrypt: async () => undefined, close: () => {} }

export function openPinEncryption(tools: ConnectorTools): PinEncryption {
  const { settings, options } = tools
  const key = settings.secret('PIN_TEST_KEY')
  if (key.reveal() !== '') {
    if (!options.has('test'))
      throw new Error('PIN_TEST_KEY is an unprotected key: use it only with the partner’s test system (?test)')
    return byTestKey(key, settings.text('PIN_TEST_SERIAL'))
  }
  return settings.text('PIN_URL') === '' ? none : byService(tools)
}
