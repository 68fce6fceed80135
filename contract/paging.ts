import { z } from 'zod';

export const pageSizes = [10, 25, 50, 100] as const;
export const pageSizeDefault = 25;
export const limitMax = 999;
export const searchMax = 200;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine(n => n >= min && n <= max);

/** What every list takes in its query string. `sortBy` is checked against the fields its endpoint names. */
export const pagingQuery = {
  limit: z.union([whole(1, limitMax), z.number().int().min(1).max(limitMax)]).optional(),
  skip: z.union([whole(0, Number.MAX_SAFE_INTEGER), z.number().int().min(0)]).optional(),
  sortBy: z
    .string()
    .regex(/^[A-Za-z]{1,40}:(asc|desc)$/)
    .optional(),
  search: z.string().max(searchMax).optional(),
};

/** A page of a list as the client hands it on; the total comes from the `Content-Range` header. */
export interface Page<T> {
  items: T[];
  total: number;
  /** True: there are at least `total`, counted no further. */
  totalIsLowerBound: boolean;
  /** Leads to the page after this one, where the list takes cursors and there is one. */
  nextCursor?: string;
}
