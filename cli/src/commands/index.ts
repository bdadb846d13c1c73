import type { Command } from '../command.ts'
import { sourcesAdd, sourcesDisable, sourcesEnable, sourcesList } from './accounts.ts'
import { archiveCheck, archiveFind, archiveWrite } from './archive.ts'
import { auditExport, auditVerify } from './audit.ts'
import { backup, restore } from './backup.ts'
import { banksDisable, banksEnable, banksImport, banksList, banksRename } from './banks.ts'
import { contractAdd, contractDisable, contractEnable, contractList } from './contract.ts'
import { credentials } from './credentials.ts'
import { conflictsDismiss, conflictsList, conflictsTake } from './credits.ts'
import { customerErase } from './customer.ts'
import { completion, DEVELOPER_COMMANDS } from './developer/index.ts'
import { disputesDecide, disputesList, disputesOpen } from './disputes.ts'
import { eventsList, eventsResend, eventsShow } from './events.ts'
import { keysList, keysRetire, keysRotate, keysRotateData } from './keys.ts'
import { ledgerPartners, ledgerVerify } from './ledger.ts'
import { merchantCreate, merchantList, merchantRotateSecret, merchantUnlockCodes } from './merchant.ts'
import { merchantSet } from './merchant-settings.ts'
import { merchantShow } from './merchant-show.ts'
import {
  merchantOrigins,
  merchantPermit,
  merchantSettle,
  merchantWebhook,
  merchantWhitelist,
} from './merchant-terms.ts'
import { migrateCommand } from './migrate.ts'
import { operatorCreate } from './operator.ts'
import { ordersAsk, ordersList, ordersResolve, ordersShow } from './orders.ts'
import { partnerPriceList, partnerPriceSet, reconcileFees, reconcileMargin } from './partner-price.ts'
import { partnersList } from './partners.ts'
import { priceList, priceSet } from './price.ts'
import { railsCheck } from './rails.ts'
import { railsPay } from './rails-pay.ts'
import {
  reconcileClose,
  reconcileDecide,
  reconcileExceptions,
  reconcileExplain,
  reconcileJoin,
  reconcileMatch,
  reconcileReport,
  reconcileStatus,
} from './reconcile.ts'
import { returnsList, returnsSend, returnsSettle } from './returns.ts'
import { routesCheck, routesHistory, routesSet, routesShow } from './routes.ts'
import { seed } from './seed.ts'
import { serve } from './serve.ts'
import { shardsDistribute, shardsStatus } from './shards.ts'
import { merchantClose, merchantResume, merchantSuspend } from './standing.ts'
import { statementAccount, statementImport, statementList } from './statement.ts'

/** Every command by the words that call it, in groups as a reader looks for them. */
export const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  'For developers': {
    credentials,
    ...DEVELOPER_COMMANDS,
    seed,
    completion: completion(() => COMMANDS),
  },
  Merchants: {
    'merchant list': merchantList,
    'merchant show': merchantShow,
    'merchant create': merchantCreate,
    'merchant set': merchantSet,
    'merchant rotate-secret': merchantRotateSecret,
    'merchant permit': merchantPermit,
    'merchant whitelist': merchantWhitelist,
    'merchant origins': merchantOrigins,
    'merchant unlock-codes': merchantUnlockCodes,
    'merchant webhook': merchantWebhook,
    'merchant settle': merchantSettle,
    'merchant suspend': merchantSuspend,
    'merchant resume': merchantResume,
    'merchant close': merchantClose,
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
  'Partners and money on its way': {
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
  'Statements of banks, and the books': {
    'statement account': statementAccount,
    'statement list': statementList,
    'statement import': statementImport,
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
  Proof: {
    'ledger verify': ledgerVerify,
    'ledger partners': ledgerPartners,
    'audit verify': auditVerify,
    'audit export': auditExport,
  },
  'Running it': {
    serve,
    'operator create': operatorCreate,
    'keys list': keysList,
    'keys rotate': keysRotate,
    'keys rotate-data': keysRotateData,
    'keys retire': keysRetire,
    migrate: migrateCommand,
    'shards status': shardsStatus,
    'shards distribute': shardsDistribute,
    'archive write': archiveWrite,
    'archive find': archiveFind,
    'archive check': archiveCheck,
    backup,
    restore,
  },
}

/** Every command by the words that call it. */
export const COMMANDS: Readonly<Record<string, Command>> = Object.assign({}, ...Object.values(COMMAND_GROUPS))
