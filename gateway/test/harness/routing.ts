import { openRouter, type Router } from '../../src/core/routing/index.ts'
import { absentRails } from '../../src/rails/absent.ts'
import type { PartnerRails } from '../../src/rails/not-sent.ts'
import { onePartner } from '../../src/rails/partners.ts'
import { testWall } from './clock.ts'

/** A router to one partner with only these rails. */
export const routerTo = (rails: Partial<PartnerRails>, code = 'bank'): Router =>
  openRouter({ partners: onePartner(code, { ...absentRails, ...rails }), wall: testWall })
