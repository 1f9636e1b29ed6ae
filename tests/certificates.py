"""An authority of the tests' own, and certificates that it signs."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Authority:
    """`ca`: its certificate as a PEM file."""

    def __init__(self, folder: Path, name: str = "pit") -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        basic = x509.BasicConstraints(ca=True, path_length=0)
        own = self._certificate(self._name, self._key).add_extension(basic, critical=True)
        self.ca = folder / f"{name}.ca"
        self.ca.write_bytes(_pem(own.sign(self._key, hashes.SHA256())))

    def issue(self, name: str, days: tuple[float, float] = (-1, 1)) -> tuple[Path, Path]:
        """A certificate for 127.0.0.1, good between these days from now, and its key, as PEM files."""
        key = ec.generate_private_key(ec.SECP256R1())
        address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = self._certificate(subject, key, days).add_extension(address, critical=False)
        paths = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        paths[0].write_bytes(_pem(certificate.sign(self._key, hashes.SHA256())))
        paths[1].touch(mode=0o600)
        paths[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        return paths

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, days: tuple[float, float] = (-10, 1000)
    ) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        begin, end = (now + datetime.timedelta(days=day) for day in days)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(end)
        )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
