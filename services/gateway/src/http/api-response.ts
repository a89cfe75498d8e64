import type { Response } from 'express';
import type { Exchange } from '../dispatch/exchange.ts';

/** A response whose exchange has begun. */
export type ApiResponse = Response<unknown, { exchange: Exchange }>;
