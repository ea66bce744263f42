import type { FigureStore } from '../../../modules/experiments/figures.store.ts'
import type { Sql } from '../tables.ts'
import { createMissedCounter } from './count-missed.sql.ts'
import { createFold } from './fold.sql.ts'

export const createFigureStore = (store: Sql): FigureStore => ({
  fold: createFold(store),
  countMissed: createMissedCounter(store),
})
