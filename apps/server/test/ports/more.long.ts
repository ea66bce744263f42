/** The same with more people and more runs. */
import './matching-race.test.ts'
import './waiting-queue.model.test.ts'
