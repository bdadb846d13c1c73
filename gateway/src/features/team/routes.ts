import * as contract from '@kobo/contract'
import { done, type Serve } from '../../core/edge/http/index.ts'
import { changeRole, keepMember, removeMember } from './members.ts'
import { invite, readTeam, type TeamDeps, withdraw } from './service.ts'

export function teamRoutes(serve: Serve, deps: TeamDeps): void {
  serve(contract.getTeam, (_, { merchant, person }) => readTeam(deps, merchant, person))
  serve(contract.invite, ({ body }, { merchant, person, by }) => invite(deps, merchant, person, body, by))
  serve(contract.withdrawInvitation, ({ params }, { merchant, by }) =>
    done(withdraw(deps, merchant, BigInt(params.id), by)),
  )
  serve(contract.changeRole, ({ params, body }, { merchant, person, by }) =>
    done(changeRole(deps, merchant, person, { ...body, personId: BigInt(params.id) }, by)),
  )
  serve(contract.removeMember, ({ params }, { merchant, person, by }) =>
    done(removeMember(deps, merchant, person, BigInt(params.id), by)),
  )
  serve(contract.keepMember, ({ params }, { merchant, person, by }) =>
    done(keepMember(deps, merchant, person, BigInt(params.id), by)),
  )
}
