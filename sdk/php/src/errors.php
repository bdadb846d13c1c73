<?php
declare(strict_types=1);

namespace Kobo;

/** The gateway said no, and why. Nothing has changed by the call. */
final class Refused extends \RuntimeException
{
    /** @param ?string $refusal what programs go by: `WRONG_OTP`; the message is for people */
    public function __construct(
        string $message,
        public readonly int $status,
        public readonly ?string $refusal,
        public readonly string $responseCode,
        public readonly ?string $requestId,
    ) {
        parent::__construct($message);
    }
}

/** The gateway did not answer, or what answered was not the gateway. Whether the call was carried out is not known. */
final class NoAnswer extends \RuntimeException
{
    /** @param ?string $idempotencyKey call again with it to learn what became of the first: it is carried out once */
    public function __construct(
        string $message,
        public readonly ?int $status,
        public readonly ?string $idempotencyKey,
    ) {
        parent::__construct($message);
    }
}

/** What arrived is not an event of this merchant's gateway. Answer 401. */
final class NotGenuine extends \RuntimeException
{
}
