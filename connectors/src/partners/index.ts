import type { Kinds } from '../connector.ts'
import { ninePsbKind } from './9psb/index.ts'
import { easyPayKind } from './easypay/index.ts'
import { iso8583Kind } from './iso8583/index.ts'
import { paystackKind } from './paystack/index.ts'
import { providusKind } from './providus/index.ts'
import { sandboxKind } from './sandbox/index.ts'
import { wemaKind } from './wema/index.ts'

/** Every connector that ships with Kobo, by kind. */
export const CONNECTORS: Kinds = {
  sandbox: sandboxKind,
  '9psb': ninePsbKind,
  easypay: easyPayKind,
  iso8583: iso8583Kind,
  paystack: paystackKind,
  providus: providusKind,
  wema: wemaKind,
}
