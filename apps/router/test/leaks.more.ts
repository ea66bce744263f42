import { testLeaks } from './leaks.ts'

testLeaks(100)
