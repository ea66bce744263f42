import type { RoomSnapshot } from '@atrium/contract'
import { expect, test } from 'vitest'
import { disclosedCompany, namesOf } from './names.ts'

type Other = RoomSnapshot['others'][number]
const other = (alias: string, facts: Partial<Other> = {}): Other => ({
  alias,
  role: 'participant',
  status: 'active',
  presence: 'connected',
  ready: false,
  ...facts,
})

test('[R43] disclosed agents are called by their name, and by their alias too if they share it', () => {
  const others = [
    other('P2'),
    other('P3', { agent: 'Sam' }),
    other('P4', { agent: 'Kim' }),
    other('P5', { agent: 'Kim' }),
  ]
  expect([...namesOf(others)]).toEqual([
    ['P2', { name: 'P2', isAgent: false }],
    ['P3', { name: 'Sam', isAgent: true }],
    ['P4', { name: 'Kim (P4)', isAgent: true }],
    ['P5', { name: 'Kim (P5)', isAgent: true }],
  ])
})

test('[R43] the company is listed only where an agent in it is disclosed', () => {
  expect(disclosedCompany([other('P2'), other('P3')])).toEqual([])
  const company = disclosedCompany([
    other('P2'),
    other('P3', { status: 'replaced' }),
    other('P4', { agent: 'Sam' }),
  ])
  expect(company.map(({ name }) => name)).toEqual(['P2', 'Sam'])
  expect(disclosedCompany([other('P2'), other('P3', { agent: 'Sam', status: 'left' })])).toEqual([])
})

test('people are called by the name of their role, and by their alias too if they share it', () => {
  const others = [
    other('P2', { roleName: 'Seller' }),
    other('P3', { roleName: 'Buyer' }),
    other('P4', { roleName: 'Buyer' }),
    other('P5', { roleName: 'Buyer', agent: 'Sam' }),
  ]
  expect([...namesOf(others).values()].map(({ name }) => name)).toEqual([
    'Seller',
    'Buyer (P3)',
    'Buyer (P4)',
    'Sam',
  ])
  expect(disclosedCompany(others.slice(0, 1)).map(({ name }) => name)).toEqual(['Seller'])
})
