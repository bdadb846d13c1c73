<?php
declare(strict_types=1);

namespace Kobo;

/** The gateway rejected the call. The call changed nothing. */
final class Refused extends \RuntimeException
{
    /** @param ?string $refusal the error code for programs, such as `WRONG_OTP` */
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

/** There was no response from the gateway, so it is unknown whether the call took effect. */
final class NoResponse extends \RuntimeException
{
    /** @param ?string $idempotencyKey retry with this key to get the outcome without a second effect */
    public function __construct(
        string $message,
        public readonly ?int $status,
        public readonly ?string $idempotencyKey,
    ) {
        parent::__construct($message);
    }
}

/** The request is not a signed event of this merchant's gateway. Respond with 401. */
final class InvalidSignature extends \RuntimeException
{
}
