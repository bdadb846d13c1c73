import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import * as contract from '@kobo/contract'
import { aShop, gateway, type TestGateway } from '../../../harness/gateway.ts'
import { long } from '../../../harness/long.ts'
import { anActiveMandate, daysAfter } from '../../../harness/mandate-samples.ts'
import { aConflict, anUnresolvedTransfer, aWaitingReturn, codeOf } from '../../../harness/operator-samples.ts'
import { refund } from '../../../harness/refund-samples.ts'
import {
  advanceToHour,
  anAccount,
  anInvoice,
  aPaymentLink,
  aTransfer,
  pay,
  reserveAccount,
} from '../../../harness/samples.ts'
import { anOperator, aTeamMember, type TestUser } from '../../../harness/users.ts'

/** A payer whose data appears nowhere else. */
const PAYER = {
  customerName: 'Zebulon Quaxwell',
  customerEmail: 'zeb.q@payer.example',
  senderAccountNumber: '7012345678',
  phone: '08099887766',
}
const BENEFICIARY_NUMBER = '0123450077'

/** Everything about the payer that only users with the permission may see. */
const secretsOf = (beneficiary: string): readonly string[] => [
  'quaxwell',
  PAYER.customerEmail,
  PAYER.senderAccountNumber,
  PAYER.phone,
  'ngozi ade',
  beneficiary.toLowerCase(),
  BENEFICIARY_NUMBER,
]

/** The payer in everything that a merchant has: returns the references by the names of the routes' fields. */
async function seed(shop: TestGateway, owner: TestUser): Promise<Readonly<Record<string, string>>> {
  const { customerName, customerEmail, senderAccountNumber, phone } = PAYER
  const customer = { customerName, customerEmail }
  const sender = { senderName: customerName, senderAccountNumber, senderBankCode: '058' }
  await shop.call(contract.changeSettings, { body: { otpEnabled: false, webhookUrl: 'http://127.0.0.1:1/' } })
  const account = await anAccount(shop, { ...customer, metaData: { customerName } })
  await pay(shop, account, 5_000, { ...sender, narration: `from ${customerName}` })
  const { transactionReference } = account
  const reserved = await reserveAccount(shop, { ...customer, accountName: customerName })
  await pay(shop, reserved, 900, sender)
  const { transactionReference: _, ...dispute } = await shop.call(contract.openSandboxDispute, {
    body: { transactionReference, disputeType: 'CHARGEBACK', disputeAmount: 100 },
  })
  const { disputeReference } = dispute
  await owner.call(contract.submitEvidence, {
    params: { disputeReference },
    body: { text: `${customerName}, ${phone}, signed` },
  })
  const { refundReference } = await refund(shop, transactionReference)
  const transfer = await aTransfer(shop, { destinationAccountNumber: BENEFICIARY_NUMBER, narration: customerName })
  await shop.call(contract.initiateTransfer, { body: transfer })
  const invoice = anInvoice(shop, shop.core.clock.now(), customer)
  await shop.call(contract.createInvoice, { body: invoice })
  const link = await owner.call(contract.createPaymentLink, { body: aPaymentLink(shop) })
  const { mandateCode, mandateReference } = await anActiveMandate(shop, {
    customerName,
    customerEmailAddress: customerEmail,
    customerPhoneNumber: phone,
    customerAccountNumber: senderAccountNumber,
  })
  const paycodeReference = `cash-${randomUUID()}`
  await shop.call(contract.createPaycode, {
    body: {
      beneficiaryName: customerName,
      amount: 500,
      paycodeReference,
      expiryDate: daysAfter(shop.core.clock.now(), 5),
      clientId: shop.credentials.apiKey,
    },
  })
  const walletReference = `wallet-${randomUUID()}`
  const wallet = await shop.call(contract.createWallet, {
    body: {
      ...customer,
      walletReference,
      walletName: customerName,
      bvnDetails: { bvn: '22222222226', bvnDateOfBirth: '1994-09-07' },
    },
  })
  await pay(shop, wallet.topUpAccountDetails, 700, sender)
  await aWaitingReturn(shop, 'FT-MASKED-R')
  await aConflict(shop, 'FT-MASKED-C')
  const reference = await anUnresolvedTransfer(shop)
  await advanceToHour(shop, 23)
  const { content: events } = await owner.call(contract.listMerchantEvents, {
    query: { eventType: 'SUCCESSFUL_TRANSACTION' },
  })
  const { content: requests } = await owner.call(contract.listMerchantRequests, {
    query: { route: 'init-transaction' },
  })
  return {
    amount: '1000',
    transactionReference,
    accountReference: reserved.accountReference,
    disputeReference,
    refundReference,
    linkReference: link.linkReference,
    mandateCode,
    mandateReferences: mandateReference,
    paycodeReference,
    walletReference,
    reference,
    invoiceReference: invoice.invoiceReference,
    code: await codeOf(shop),
    event: events[0]?.id ?? assert.fail('an event was made'),
    request: requests[0]?.id ?? assert.fail('a request was logged'),
    text: transactionReference,
    operation: 'transfer/send',
    partner: 'simulated',
    from: '2020-01-01',
    accountNumber: shop.credentials.walletAccountNumber,
  }
}

type Permitted = contract.Route & { readonly person: string }

/** Every route that a user may call, once. */
const routesOf = (permissions: readonly string[]): readonly Permitted[] =>
  [...contract.ROUTES, ...contract.DASHBOARD_ROUTES]
    .map(({ route }): contract.Route => route)
    .filter((route): route is Permitted => typeof route.person === 'string' && permissions.includes(route.person))

/** The reads, and the few changes whose response shows a customer. */
const SHOWS: readonly contract.Route[] = [
  contract.resendMerchantEvent,
  contract.resendEvent,
  contract.authorizeMandate,
  contract.redeemPaycode,
]
/** The sandbox's own inbox: its codes and links are for developers, and it holds no real customer. */
const OPEN: readonly contract.Route[] = [contract.readInbox]

const fieldsOf = (schema: unknown): readonly string[] =>
  (schema as { readonly required?: readonly string[] } | undefined)?.required ?? []

/** A request of a route, filled from what was seeded. */
function inputOf({ path, params, query }: contract.Route, known: Readonly<Record<string, string>>): object {
  const id = path.includes('/events/') ? known['event'] : known['request']
  const filled = (schema: unknown) =>
    Object.fromEntries(fieldsOf(schema).map((name) => [name, name === 'id' ? id : (known[name] ?? `no ${name}`)]))
  // A wallet is named by one of two optional fields.
  const wallet = path.includes('/disbursements/wallet/') ? { walletReference: known['walletReference'] } : {}
  return { params: filled(params), query: { ...filled(query), ...wallet } }
}

long('no response shows a customer to a role without the permission, whatever the route', async (t) => {
  const shop = await gateway(t)
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const known = await seed(shop, owner)
  const { destinationAccountName } = await aTransfer(shop, { destinationAccountNumber: BENEFICIARY_NUMBER })
  const secrets = secretsOf(destinationAccountName ?? assert.fail('a name'))
  const found = ({ text }: { readonly text: string }) => secrets.filter((secret) => text.toLowerCase().includes(secret))

  const blind = contract.ROLES.filter((role) => contract.ROLE_PERMISSIONS['payer.read'][role] === 'no')
  assert.deepEqual(blind, ['developer', 'viewer', 'cashier'])
  const users = [
    ...(await Promise.all(
      blind.map(async (role) => ({
        role: role as string,
        user: await aTeamMember(shop, role, { secondFactor: 'fresh' }),
        permissions: contract.permissionsOfRole(role, false) as readonly string[],
      })),
    )),
    {
      role: 'operator-support',
      user: await anOperator(shop, 'operator-support'),
      permissions: contract.OPERATOR_ROLE_PERMISSIONS['operator-support'] as readonly string[],
    },
  ]
  const seen = new Set<string>()
  for (const { role, user, permissions } of users)
    for (const route of routesOf(permissions)) {
      if (route.sends === 'events' || OPEN.includes(route)) continue
      if (route.method !== 'GET' && !SHOWS.includes(route)) continue
      const response = await user.send(route, inputOf(route, known))
      assert.ok(response.status < 300 || response.status === 404, `${role} ${route.path}: ${response.text}`)
      assert.deepEqual(found(response), [], `${role} sees a customer at ${route.path}: ${response.text}`)
      if (response.status === 200) seen.add(route.path)
    }
  // The seven responses that showed customers by mistake in earlier versions.
  for (const path of [
    contract.getSettlementDetail.path,
    contract.listMerchantEvents.path,
    contract.browseTransactions.path,
    contract.browseStatement.path,
    contract.browseReservedAccounts.path,
    contract.browseAllDisputes.path,
    contract.getMerchantRequest.path,
    contract.listExceptions.path,
    contract.browseChanges.path,
  ])
    assert.ok(seen.has(path), `${path} was not read`)

  // The check itself works: the same responses show the customer to users who may see it.
  for (const route of [contract.getSettlementDetail, contract.listMerchantEvents, contract.browseStatement])
    assert.notDeepEqual(found(await owner.send(route, inputOf(route, known))), [], route.path)
})

test('no filter or search finds a customer whom the user may not see', async () => {
  const shop = await aShop()
  await pay(shop, await anAccount(shop, PAYER), 5_000, { senderAccountNumber: PAYER.senderAccountNumber })
  const [viewer, owner] = [await aTeamMember(shop, 'viewer'), await aTeamMember(shop, 'owner')]
  for (const customer of ['Zeb', PAYER.customerEmail])
    for (const route of [contract.browseTransactions, contract.browseReservedAccounts, contract.browseMandates]) {
      const { code, message } = await viewer.rejected(403, route, { query: { customer } })
      assert.equal(code, 'PERSONAL_DATA_NOT_ALLOWED')
      assert.match(message, /customer$/)
    }
  const kinds = { [PAYER.customerEmail]: ['customer', 'transaction'], [PAYER.senderAccountNumber]: ['transaction'] }
  for (const [text, expected] of Object.entries(kinds)) {
    assert.equal((await viewer.rejected(403, contract.search, { query: { text } })).code, 'PERSONAL_DATA_NOT_ALLOWED')
    const { found } = await owner.call(contract.search, { query: { text } })
    assert.deepEqual(
      found.map(({ kind }) => kind),
      expected,
    )
  }
  const { items } = await owner.call(contract.browseTransactions, { query: { customer: 'Zeb' } })
  assert.equal(items.length, 1)
  await owner.send(contract.exportList, { params: { list: 'transactions' }, query: { customer: 'Zeb Quaxwell' } })
  const { text } = await owner.send(contract.browseAudit, { query: { act: 'export.make' } })
  assert.ok(text.includes('Z***') && !text.includes('Quaxwell'), 'the audit log keeps no customer')
})

test('settlement amounts need the same permission in the list and in the API', async () => {
  const shop = await aShop()
  for (const role of ['developer', 'support'] as const) {
    const user = await aTeamMember(shop, role)
    await user.rejected(403, contract.listSettlements, { query: {} })
    await user.rejected(403, contract.browseSettlements, { query: {} })
  }
})
