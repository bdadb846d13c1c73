import type { Command } from '../command.ts'
import { API_COMMANDS, completion, credentials, mcp, open, samples, seed } from './developer/index.ts'
import { contractAdd, contractDisable, contractEnable, contractList } from './merchants/contract.ts'
import { customerErase } from './merchants/customer.ts'
import { eventsList, eventsResend, eventsShow } from './merchants/events.ts'
import {
  merchantCreate,
  merchantList,
  merchantRevokeKey,
  merchantRotateSecret,
  merchantUnlockCodes,
} from './merchants/merchant.ts'
import { merchantOrigins, merchantSettle, merchantWebhook, merchantWhitelist } from './merchants/merchant-change.ts'
import { merchantPayOut } from './merchants/merchant-pay-out.ts'
import { merchantPermit } from './merchants/merchant-permit.ts'
import { merchantSet } from './merchants/merchant-set.ts'
import { merchantShow } from './merchants/merchant-show.ts'
import { merchantClose, merchantResume, merchantSuspend } from './merchants/merchant-status.ts'
import { priceList, priceSet } from './merchants/price.ts'
import { backup, restore } from './operations/backup.ts'
import { databaseAcceptTimeline } from './operations/database.ts'
import { keysList, keysRetire, keysRotate, keysRotateData, keysRotateReceipts } from './operations/keys.ts'
import { migrateCommand } from './operations/migrate.ts'
import { operatorCreate } from './operations/operator.ts'
import { serve } from './operations/serve.ts'
import { shardsDistribute, shardsStatus } from './operations/shards.ts'
import { sourcesAdd, sourcesDisable, sourcesEnable, sourcesList } from './partners/accounts-sources.ts'
import { banksDisable, banksEnable, banksImport, banksList, banksRename } from './partners/banks.ts'
import { conflictsDismiss, conflictsList, conflictsTake } from './partners/credits-conflicts.ts'
import { disputesDecide, disputesList, disputesOpen } from './partners/disputes.ts'
import { ordersAsk, ordersList, ordersResolve, ordersShow } from './partners/orders.ts'
import { partnersList } from './partners/partners.ts'
import { railsCheck } from './partners/rails-check.ts'
import { railsPay } from './partners/rails-pay.ts'
import { returnsList, returnsSend, returnsSettle } from './partners/returns.ts'
import { routesCheck, routesHistory, routesSet, routesShow } from './partners/routes.ts'
import { reconcileClose, reconcileMatch, reconcileReport, reconcileStatus } from './reconciliation/reconcile-days.ts'
import {
  reconcileDecide,
  reconcileExceptions,
  reconcileExplain,
  reconcileJoin,
} from './reconciliation/reconcile-exceptions.ts'
import { reconcileFees, reconcileMargin } from './reconciliation/reconcile-fees.ts'
import { partnerPriceList, partnerPriceSet } from './reconciliation/reconcile-price.ts'
import { statementAccount, statementImport, statementList } from './reconciliation/statement.ts'
import { statementCollect } from './reconciliation/statement-collect.ts'
import { auditExport, auditVerify } from './verification/audit.ts'
import { ledgerPartners, ledgerSafeguarding, ledgerVerify } from './verification/ledger.ts'

export const CONFIGURATION = 'Configuration comes from environment variables: npm start -- --help lists them.'

/** Every command by name, in the groups that the help shows. */
export const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  'For developers': {
    credentials,
    ...API_COMMANDS,
    samples,
    open,
    mcp,
    seed,
    completion: completion(() => COMMANDS),
  },
  Merchants: {
    'merchant list': merchantList,
    'merchant show': merchantShow,
    'merchant create': merchantCreate,
    'merchant set': merchantSet,
    'merchant rotate-secret': merchantRotateSecret,
    'merchant revoke-key': merchantRevokeKey,
    'merchant permit': merchantPermit,
    'merchant whitelist': merchantWhitelist,
    'merchant origins': merchantOrigins,
    'merchant unlock-codes': merchantUnlockCodes,
    'merchant webhook': merchantWebhook,
    'merchant settle': merchantSettle,
    'merchant suspend': merchantSuspend,
    'merchant resume': merchantResume,
    'merchant close': merchantClose,
    'merchant pay-out': merchantPayOut,
    'contract list': contractList,
    'contract add': contractAdd,
    'contract disable': contractDisable,
    'contract enable': contractEnable,
    'events list': eventsList,
    'events show': eventsShow,
    'events resend': eventsResend,
    'customer erase': customerErase,
    'price list': priceList,
    'price set': priceSet,
  },
  'Partners and money in transit': {
    'orders list': ordersList,
    'orders ask': ordersAsk,
    'orders show': ordersShow,
    'orders resolve': ordersResolve,
    'credits conflicts list': conflictsList,
    'credits conflicts take': conflictsTake,
    'credits conflicts dismiss': conflictsDismiss,
    'accounts sources list': sourcesList,
    'accounts sources add': sourcesAdd,
    'accounts sources disable': sourcesDisable,
    'accounts sources enable': sourcesEnable,
    'banks list': banksList,
    'banks import': banksImport,
    'banks disable': banksDisable,
    'banks enable': banksEnable,
    'banks rename': banksRename,
    'returns list': returnsList,
    'returns send': returnsSend,
    'returns settle': returnsSettle,
    'disputes list': disputesList,
    'disputes open': disputesOpen,
    'disputes decide': disputesDecide,
    'partners list': partnersList,
    'routes show': routesShow,
    'routes set': routesSet,
    'routes history': routesHistory,
    'routes check': routesCheck,
    'rails check': railsCheck,
    'rails pay': railsPay,
  },
  'Bank statements and reconciliation': {
    'statement account': statementAccount,
    'statement list': statementList,
    'statement import': statementImport,
    'statement collect': statementCollect,
    'reconcile status': reconcileStatus,
    'reconcile match': reconcileMatch,
    'reconcile exceptions': reconcileExceptions,
    'reconcile decide': reconcileDecide,
    'reconcile explain': reconcileExplain,
    'reconcile join': reconcileJoin,
    'reconcile close': reconcileClose,
    'reconcile report': reconcileReport,
    'reconcile price list': partnerPriceList,
    'reconcile price set': partnerPriceSet,
    'reconcile margin': reconcileMargin,
    'reconcile fees': reconcileFees,
  },
  'Ledger and audit': {
    'ledger verify': ledgerVerify,
    'ledger partners': ledgerPartners,
    'ledger safeguarding': ledgerSafeguarding,
    'audit verify': auditVerify,
    'audit export': auditExport,
  },
  Operations: {
    serve,
    'operator create': operatorCreate,
    'keys list': keysList,
    'keys rotate': keysRotate,
    'keys rotate-data': keysRotateData,
    'keys rotate-receipts': keysRotateReceipts,
    'keys retire': keysRetire,
    migrate: migrateCommand,
    'database accept-timeline': databaseAcceptTimeline,
    'shards status': shardsStatus,
    'shards distribute': shardsDistribute,
    backup,
    restore,
  },
}

/** Every command by name. */
export const COMMANDS: Readonly<Record<string, Command>> = Object.assign({}, ...Object.values(COMMAND_GROUPS))
